/** Clusters, pools, and loops that fail, as the backend's REST API takes and shows them. */
@NullMarked
package dev.outpost.rest.cluster;

import org.jspecify.annotations.NullMarked;
