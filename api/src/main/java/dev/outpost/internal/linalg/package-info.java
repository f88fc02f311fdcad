/**
 * Helpers of {@link dev.outpost.linalg.Linalg}.
 */
package dev.outpost.internal.linalg;
