/** Words of Kubernetes, taken apart and put together. */
package dev.outpost.provider.k8s.reason.text;
