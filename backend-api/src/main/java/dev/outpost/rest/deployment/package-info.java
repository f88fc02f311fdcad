/** Deployments, programs, and the calls of gateways, as the backend's REST API takes and shows them. */
package dev.outpost.rest.deployment;
