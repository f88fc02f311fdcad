/** Deployments, programs, and the calls of gateways, as the backend's REST API takes and shows them. */
@NullMarked
package dev.outpost.rest.deployment;

import org.jspecify.annotations.NullMarked;
