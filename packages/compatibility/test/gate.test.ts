import { describe, expect, it } from 'vitest';
import { type Document, projectRepository, repository } from './repository.ts';

const openApi = 'gateway/openapi.json';

function removeField({ properties, required }: Document, name: string) {
  delete properties[name];
  required.splice(required.indexOf(name), 1);
}

/** Breaking changes to this project's documents, one after the other. */
const plants = [
  {
    name: 'a removed field',
    path: openApi,
    plant: (document: Document) => {
      removeField(document.components.schemas.Hotness, 'color');
    },
    id: 'openapi Hotness: response field color removed',
    sentence: 'The response field color of Hotness was removed. (GET /hotnesses, POST /hotnesses, ',
  },
  {
    name: 'a narrowed enumeration',
    path: openApi,
    plant: (document: Document) =>
      document.components.schemas.TeamMemberPatch.properties.request_status.enum.pop(),
    id: 'openapi TeamMemberPatch: request field request_status value "Declined" removed',
    sentence: 'The request field request_status of TeamMemberPatch no longer accepts the value "Declined".',
  },
  {
    name: 'a new required parameter',
    path: openApi,
    plant: (document: Document) =>
      document.paths['/hotnesses'].get.parameters.push({ name: 'team', in: 'query', required: true }),
    id: 'openapi GET /hotnesses: query parameter team added as required',
    sentence: 'The query parameter team of GET /hotnesses is new and required.',
  },
  {
    name: 'an event that says less',
    path: 'packages/events/asyncapi.json',
    plant: (document: Document) => {
      const [, refined] = document.components.messages['contacts.contact.removed'].payload.allOf;
      removeField(refined.properties.data, 'contact_id');
    },
    id: 'asyncapi crm.contacts.contact.removed: field data.contact_id removed',
    sentence: 'The field data.contact_id of crm.contacts.contact.removed was removed.',
  },
  {
    name: 'an operation that other services no longer find',
    path: 'services/contacts/contract.json',
    plant: (document: Document) => delete document.operations['optOuts.among'],
    id: 'contract contacts optOuts.among: operation removed',
    sentence: 'optOuts.among was removed.',
  },
];

describe('the compatibility gate', () => {
  it('names each planted break, and passes once the changelog names it', () => {
    const project = projectRepository();
    project.git('switch', '--quiet', '--create', 'feature');
    let named = '# Changelog\n\n## [Unreleased]\n\n### Breaking changes\n\n';
    for (const { path, plant, id, sentence } of plants) {
      project.change(path, plant);
      const refused = project.check('main');
      expect(refused.exitCode).toBe(1);
      expect(refused.text).toContain('1 breaking change is not listed in CHANGELOG.md:');
      expect(refused.text).toContain(`  \`${id}\`\n    ${sentence}`);
      named += `- What clients do now: \`${id}\`\n`;
      project.write('CHANGELOG.md', named);
      expect(project.check('main')).toMatchObject({ exitCode: 0, text: expect.stringContaining(id) });
      project.commit('Break it');
    }
  });

  it.each(plants)('finds $name in a commit of a branch, whatever main has become', ({ path, plant, id }) => {
    const project = projectRepository();
    const start = project.git('rev-parse', 'HEAD');
    project.git('switch', '--quiet', '--create', 'feature');
    project.change(path, plant);
    project.commit('Break it');
    project.commit('Something else');
    project.git('switch', '--quiet', 'main');
    project.commit('Go on');
    project.git('switch', '--quiet', 'feature');
    const { text, exitCode } = project.check();
    expect(text).toContain(`Compared with ${start.slice(0, 10)}, the last commit that it shares with main.`);
    expect({ exitCode, isNamed: text.includes(id) }).toEqual({ exitCode: 1, isNamed: true });
  });

  it('compares main itself with the parent commit', () => {
    const project = projectRepository();
    expect(project.check()).toMatchObject({
      exitCode: 0,
      text: 'This is the first commit, so there is nothing to compare with.\n',
    });
    project.change(openApi, (document) => delete document.paths['/hotnesses'].post);
    project.commit('Break it');
    const { text, exitCode } = project.check();
    expect(text).toContain('the parent commit');
    expect(text).toContain('openapi POST /hotnesses: operation removed');
    expect(exitCode).toBe(1);
    project.commit('Something else');
    expect(project.check()).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining('No breaking change.'),
    });
  });

  it('reports every operation of a removed service document', () => {
    const project = projectRepository();
    project.git('rm', '--quiet', 'services/contacts/contract.json');
    expect(project.check('HEAD')).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('contract contacts contacts.byIds: operation removed'),
    });
  });

  it('compares a new document with nothing, and says so', () => {
    const project = projectRepository();
    project.write('services/shop/contract.json', '{ "service": "shop", "operations": {} }');
    expect(project.check('HEAD')).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining('New, with nothing to compare with: services/shop/contract.json.'),
    });
  });
});

describe('a commit to compare with', () => {
  it('that does not exist here is an error that says what to do', () => {
    const project = projectRepository();
    for (const unknown of ['v9', '0123456789012345678901234567890123456789', '--all']) {
      expect(project.check(unknown)).toEqual({
        exitCode: 2,
        text: `There is no commit "${unknown}" here. If it is on the server, \`git fetch origin ${unknown}\` brings it.\n`,
      });
    }
  });

  it('that a shallow clone lacks is an error only if it was requested', () => {
    const project = projectRepository();
    const first = project.git('rev-parse', 'HEAD');
    project.commit('Second');
    const clone = repository();
    clone.git('clone', '--quiet', '--depth', '1', `file://${project.folder}`, '.');
    expect(clone.check()).toEqual({
      exitCode: 0,
      text: 'This clone has no history (`git fetch --unshallow` brings it), so there is nothing to compare with.\n',
    });
    expect(clone.check(first)).toEqual({
      exitCode: 2,
      text: `There is no commit "${first}" here. This clone is shallow: \`git fetch --unshallow\` brings the history.\n`,
    });
    clone.git('fetch', '--quiet', '--unshallow');
    expect(clone.check(first).exitCode).toBe(0);
    expect(clone.check().text).toContain(`Compared with ${first.slice(0, 10)}, the parent commit.`);
  });

  it('does not exist outside a repository', () => {
    expect(repository().check()).toEqual({
      exitCode: 0,
      text: 'There is no git repository with a commit here, so there is nothing to compare with.\n',
    });
  });

  it('must be a single one', () => {
    expect(projectRepository().check('a', 'b')).toMatchObject({
      exitCode: 2,
      text: expect.stringMatching(/^Usage:/),
    });
  });
});
