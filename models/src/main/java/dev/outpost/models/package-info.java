/** Open models by their configuration: architectures, their caches, and generation. */
package dev.outpost.models;
