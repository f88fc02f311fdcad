/** Clusters, pools, and loops that fail, as the backend's REST API takes and shows them. */
package dev.outpost.rest.cluster;
