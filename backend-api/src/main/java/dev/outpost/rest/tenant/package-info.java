/** Organisations, projects, members, keys and logins, as the backend's REST API takes and shows them. */
@NullMarked
package dev.outpost.rest.tenant;

import org.jspecify.annotations.NullMarked;
