/** Numbers that change from run to run of a program. */
package dev.outpost.client.numbers;
