/** Deployments, and the replicas that they want. */
package dev.outpost.backend.model.deployment;
