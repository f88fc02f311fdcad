/** Organisations, projects, members, keys and logins, in the form of the backend's REST API. */
@NullMarked
package dev.outpost.rest.tenant;

import org.jspecify.annotations.NullMarked;
