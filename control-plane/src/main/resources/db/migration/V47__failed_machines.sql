-- Machines that failed are listed for a day. By these the newest of them are found.
CREATE INDEX machines_failed_of_organisation ON machines (organisation, since)
    WHERE phase = 'ENDED' AND end_reason IN ('FAILED', 'REFUSED', 'START_TIMEOUT');
CREATE INDEX machines_failed_of_project ON machines (organisation, project, since)
    WHERE phase = 'ENDED' AND end_reason IN ('FAILED', 'REFUSED', 'START_TIMEOUT');
