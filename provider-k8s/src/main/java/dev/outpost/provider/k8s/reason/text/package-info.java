/** Parsing of Kubernetes' messages, and the wording of sentences. */
package dev.outpost.provider.k8s.reason.text;
