import { Migration } from '@mikro-orm/migrations';

export class Sessions extends Migration {
  override up() {
    this.addSql(`
      create table sessions (
        secret_hash char(64) primary key,
        user_id integer not null references users on delete cascade,
        password_print char(64) not null,
        created_at timestamptz not null,
        last_seen_at timestamptz not null,
        expires_at timestamptz not null
      );
      create index sessions_user on sessions (user_id);

      create table sign_in_failures (
        subject_hash char(64) primary key,
        level double precision not null,
        last_failed_at timestamptz not null
      );

      create table sign_in_targets (
        id_hash char(64) primary key,
        path varchar(8192) not null,
        leads_to varchar(512),
        expires_at timestamptz not null
      );
    `);
  }
}
