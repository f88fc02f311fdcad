/** Which call of the program something belongs to, and the checks of its arguments. */
package dev.outpost.client.calls;
