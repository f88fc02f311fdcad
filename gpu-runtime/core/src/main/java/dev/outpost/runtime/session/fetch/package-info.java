/** Elements that clients asked for. */
package dev.outpost.runtime.session.fetch;
