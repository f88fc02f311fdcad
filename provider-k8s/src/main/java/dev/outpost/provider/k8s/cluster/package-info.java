/** The API server: clients, cached objects, watches, logs. */
package dev.outpost.provider.k8s.cluster;
