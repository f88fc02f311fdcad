/** Machines that do not do what they are told, for tests. */
package dev.outpost.runtime.hostile;
