/** The reports of the API server on pods, jobs, nodes and node pools. */
package dev.outpost.provider.k8s.reason.facts;
