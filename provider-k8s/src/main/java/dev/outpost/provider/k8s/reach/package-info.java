/** The routes to a machine's session port: its pod's address, its Service, or a forward through the API server. */
package dev.outpost.provider.k8s.reach;
