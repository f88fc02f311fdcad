/** Organisations, projects, keys, members, logins, and the audit log. */
package dev.outpost.backend.api.tenant;
