/** Clusters, and the observation of the machines on them. */
package dev.outpost.backend.fleet.cluster;
