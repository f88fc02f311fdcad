/**
 * The gradients of the ops on the wire: one table, {@link dev.outpost.internal.gradients.Gradients}.
 */
package dev.outpost.internal.gradients;
