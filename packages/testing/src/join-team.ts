import type { User } from '@crm/auth';

/** The operations of identity in use; declared here because identity itself is tested with this package. */
interface Identity {
  readonly asSystem: {
    readonly teamMembers: {
      invite(draft: { team_id: number; user_id: number }): Promise<{ readonly id: number }>;
    };
  };
  as(user: User): {
    readonly teamMembers: {
      patch(changes: { id: number; request_status: 'Accepted' }): Promise<unknown>;
    };
  };
}

/** Adds a user to a team; the user accepts the invitation. */
export async function joinTeam({ asSystem, as }: Identity, team_id: number, user: User): Promise<void> {
  const { id } = await asSystem.teamMembers.invite({ team_id, user_id: user.id });
  await as(user).teamMembers.patch({ id, request_status: 'Accepted' });
}
