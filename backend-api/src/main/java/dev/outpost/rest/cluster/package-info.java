/** Clusters, pools, and loops that fail, in the form of the backend's REST API. */
@NullMarked
package dev.outpost.rest.cluster;

import org.jspecify.annotations.NullMarked;
