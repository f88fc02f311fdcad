/**
 * Tests of what {@code deploy/} writes, on the real cluster of {@code testing/real-cluster}. Elsewhere they are skipped, and say so.
 */
package dev.outpost.system.realcluster;
