/** Sessions as members of a group of machines. */
package dev.outpost.runtime.session.peer;
