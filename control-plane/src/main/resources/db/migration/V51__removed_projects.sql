-- The removal of a project looks for references to it; the wider index of the same columns costs more than a scan of an organisation.
CREATE INDEX token_usages_reference ON token_usages (organisation, project);
