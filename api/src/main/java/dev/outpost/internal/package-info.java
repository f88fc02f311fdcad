/**
 * How tensors record ops. Not for programs: these classes change without notice, and so do those of the packages below.
 */
package dev.outpost.internal;
