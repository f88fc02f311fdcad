/** Programs in a form that other processes run: traces for some numbers of rows, and the values that they captured. */
package dev.outpost.internal.publish;
