/** Deployments, programs, and the calls of gateways, in the form of the backend's REST API. */
@NullMarked
package dev.outpost.rest.deployment;

import org.jspecify.annotations.NullMarked;
