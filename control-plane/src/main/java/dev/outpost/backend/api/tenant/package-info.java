/** Organisations, projects, keys, members, logins, and the audit of what they did. */
package dev.outpost.backend.api.tenant;
