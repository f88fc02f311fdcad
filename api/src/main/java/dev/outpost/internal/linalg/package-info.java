/**
 * What {@link dev.outpost.linalg.Linalg} is composed of.
 */
package dev.outpost.internal.linalg;
