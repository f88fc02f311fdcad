/** The user's call that an op or an error belongs to, and the checks of its arguments. */
package dev.outpost.client.calls;
