/** Programs in a form that other processes can run: traces for several numbers of rows, and their captured values. */
package dev.outpost.internal.publish;
