/**
 * Functions with gradients of their own; ops are composed of them.
 */
package dev.outpost.internal.functions;
