/** Deployments, and the calls of the gateways that serve them. */
package dev.outpost.backend.api.deployment;
