/**
 * A machine inside this JVM: the real sessions, codec and engines, with a network between that can be made slow, lossy
 * and broken.
 */
package dev.outpost.provider.mock;
