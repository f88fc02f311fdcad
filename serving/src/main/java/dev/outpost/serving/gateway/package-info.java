/** A server as the gateway of a backend's deployments: it holds requests, and sends them to replicas on machines. */
package dev.outpost.serving.gateway;
