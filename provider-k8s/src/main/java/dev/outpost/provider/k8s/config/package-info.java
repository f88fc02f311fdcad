/**
 * What a user can set: {@link dev.outpost.provider.k8s.config.KubernetesConfig} says what there is, and
 * {@link dev.outpost.provider.k8s.config.Settings} reads it and refuses what makes no sense.
 */
package dev.outpost.provider.k8s.config;
