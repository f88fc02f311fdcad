/**
 * The meaning of a cluster's state for a machine: from the Job, the pod, their events and the answers of the API
 * server to one sentence and a remedy. Pure functions; nothing here asks the cluster anything.
 *
 * <p>Each way of not starting, or of ending, is a constant of one of the {@code Symptom} enums. The page
 * {@code docs/kubernetes-troubleshooting.md} has a row for each.
 */
package dev.outpost.provider.k8s.reason;
