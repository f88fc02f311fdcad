/** A session as a member of a group of machines. */
package dev.outpost.runtime.session.peer;
