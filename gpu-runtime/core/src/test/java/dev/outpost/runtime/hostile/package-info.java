/** Misbehaving machines, for tests. */
package dev.outpost.runtime.hostile;
