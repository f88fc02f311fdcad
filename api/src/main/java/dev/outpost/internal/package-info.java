/**
 * The implementation of tensors, which records ops. Not for programs: the classes of this package and of its subpackages change without
 * notice.
 */
package dev.outpost.internal;
