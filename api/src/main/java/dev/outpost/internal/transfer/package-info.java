/**
 * Elements on their way between a program's arrays and a machine.
 */
package dev.outpost.internal.transfer;
