/** Organisations, projects, members, keys and logins, as the backend's REST API takes and shows them. */
package dev.outpost.rest.tenant;
