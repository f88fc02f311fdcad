/** Clusters, worker hosts, pools and backups, which operators run. */
package dev.outpost.backend.api.cluster;
