/**
 * Functions with gradients of their own that ops are composed of.
 */
package dev.outpost.internal.functions;
