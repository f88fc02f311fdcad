/** The rows of deployments, their replicas and programs. */
package dev.outpost.backend.store.deployment;
