-- How long the next run of a job waits for the present one, in milliseconds, as it was granted when the present one began.
ALTER TABLE jobs ADD COLUMN lease bigint;

-- Memberships that groups of an issuer gave before V36 have no end. They end a day from now, unless a login prolongs them. A membership
-- that an administrator set stands in the audit with its role, and has no end.
UPDATE members m SET expires_at = outpost_now() + interval '24 hours', version = version + 1
WHERE expires_at IS NULL
  AND EXISTS (
      SELECT 1 FROM audit a
      WHERE a.organisation = m.organisation AND a.action = 'identity.login' AND a.actor = m.subject)
  AND NOT EXISTS (
      SELECT 1 FROM audit a
      WHERE a.organisation = m.organisation AND a.action = 'member.set' AND a.target = m.subject
        AND a.detail = m.role || ' of ' || coalesce(nullif(m.project, ''), 'the organisation'));
