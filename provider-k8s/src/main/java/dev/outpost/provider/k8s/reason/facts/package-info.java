/** What the API server says of pods, jobs, nodes and node pools. */
package dev.outpost.provider.k8s.reason.facts;
