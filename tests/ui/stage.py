"""stage.py: the real memlane on a screen and a bus of its own, driven by D-Bus actions, its picture read from Xvfb's framebuffer

SPDX-License-Identifier: MIT

For tests/ui/screenshots here, and for tests/gpu/window on a machine with a GPU. Takes Xvfb, dbus-daemon and gdbus.
"""
import ctypes
import mmap
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

SOURCE = pathlib.Path(__file__).resolve().parents[2]
APPLICATION = 'io.github.memlane.Memlane'
APPLICATION_PATH = '/io/github/memlane/Memlane'
WINDOW_PATH = APPLICATION_PATH + '/window/1'
FRAME = 5  # what GTK draws around a window where there is no window manager
PATIENCE = 90  # seconds for anything at all; a sanitizer build is slow


class Screen:
    """An Xvfb of one size, whose pixels lie in a file, and the few things of a window manager that a picture needs."""

    def __init__(self, width, height, folder, environment):
        self.width, self.height = width, height
        self.folder = folder
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ['Xvfb', '-displayfd', str(write), '-screen', '0', f'{width}x{height}x24', '-fbdir', str(folder), '-noreset',
             '-nolisten', 'tcp'],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        os.close(write)
        with os.fdopen(read) as answer:
            number = answer.readline().strip()
        if not number:
            sys.exit('screenshots: Xvfb did not start')
        self.name = ':' + number
        environment['DISPLAY'] = self.name
        # Where libX11 is not the system's, the variable names it after what it needs itself.
        for library in os.environ.get('MEMLANE_X11', 'libX11.so.6').split(':'):
            self.x = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XDefaultRootWindow.argtypes = [ctypes.c_void_p]
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(self.name.encode()))
        self.root = ctypes.c_ulong(self.x.XDefaultRootWindow(self.display))
        # Out of the way: in the middle of the screen the pointer would be read as one over a curve.
        self.x.XWarpPointer(self.display, ctypes.c_ulong(0), self.root, 0, 0, 0, 0, width - 1, height - 1)
        self.x.XSync(self.display, 0)

    def windows(self):
        """(id, x, y, width, height) of what is mapped and is no popup, lowest first."""
        root, parent, children, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        self.x.XQueryTree(self.display, self.root, ctypes.byref(root), ctypes.byref(parent), ctypes.byref(children), ctypes.byref(count))
        found = []
        attributes = (ctypes.c_int * 64)()
        for i in range(count.value):
            window = ctypes.c_ulong(children[i])
            if not self.x.XGetWindowAttributes(self.display, window, ctypes.byref(attributes)):
                continue
            x, y, width, height = attributes[0:4]
            # XWindowAttributes on a 64-bit machine: map_state is the 24th int, override_redirect the 31st.
            map_state, override = attributes[23], attributes[30]
            if map_state == 2 and not override and width > 32 and height > 32:
                found.append((window, x, y, width, height))
        if count.value:
            self.x.XFree(children)
        return found

    def arrange(self):
        """The lowest window gets the whole screen, its frame beyond the edges; others lie in the middle above it."""
        for i, (window, x, y, width, height) in enumerate(self.windows()):
            if i == 0:
                wanted = (-FRAME, -FRAME, self.width + 2 * FRAME, self.height + 2 * FRAME)
            else:
                wanted = (max(0, (self.width - width) // 2), max(0, (self.height - height) // 2),
                          min(width, self.width), min(height, self.height))
            if wanted != (x, y, width, height):
                self.x.XMoveResizeWindow(self.display, window, *wanted)
        self.x.XSync(self.display, 0)

    def pixels(self):
        """The XWD file of the framebuffer as (width, height, bytes of red, green and blue)."""
        with open(self.folder / 'Xvfb_screen0', 'rb') as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as raw:
            header = struct.unpack('>25I', raw[:100])
            size, width, height, order = header[0], header[4], header[5], header[7]
            depth, stride, colours = header[11], header[12], header[19]
            if depth != 32 or stride != width * 4:
                sys.exit(f'screenshots: a framebuffer of {depth} bits was not expected')
            begin = size + colours * 12
            data = raw[begin:begin + stride * height]
        rgb = bytearray(width * height * 3)
        red, green, blue = (1, 2, 3) if order else (2, 1, 0)
        rgb[0::3], rgb[1::3], rgb[2::3] = data[red::4], data[green::4], data[blue::4]
        return width, height, bytes(rgb)

    def settle(self, still=0.7, limit=PATIENCE):
        """Waits until nothing has moved for a while."""
        end = time.monotonic() + limit
        last, since = None, time.monotonic()
        while time.monotonic() < end:
            self.arrange()
            now = zlib.adler32(self.pixels()[2])
            if now != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since >= still:
                return
            time.sleep(0.1)
        sys.exit('screenshots: the window does not come to rest')

    def save(self, path, pixels=None):
        """Into @path what the screen shows, or the @pixels that it showed."""
        width, height, rgb = pixels or self.pixels()
        rows = bytearray()
        previous = bytes(width * 3)
        for y in range(height):
            row = rgb[y * width * 3:(y + 1) * width * 3]
            # "Up" where the row repeats much of the one above, which flat widgets do.
            if row == previous:
                rows += b'\2' + bytes(width * 3)
            else:
                rows += b'\0' + row
            previous = row

        def chunk(kind, data):
            return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))

        path.write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0))
                         + chunk(b'IDAT', zlib.compress(bytes(rows), 9)) + chunk(b'IEND', b''))

    def close(self):
        self.x.XCloseDisplay(self.display)
        end(self.server)


def end(process):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Stage:
    """memlane itself with settings as asked, on a screen and a bus of its own."""

    def __init__(self, build, size, language, settings, more=None):
        if not (build / 'data' / 'gschemas.compiled').exists():
            sys.exit(f'screenshots: {build}/data has no settings: build all of it first (ninja -C {build})')
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='memlane-screen-'))
        self.environment = {key: value for key, value in os.environ.items()
                            if key in ('PATH', 'LD_LIBRARY_PATH', 'ASAN_OPTIONS', 'LSAN_OPTIONS', 'UBSAN_OPTIONS', 'XDG_RUNTIME_DIR')}
        self.environment.update({
            'HOME': str(self.folder), 'LANG': 'C.UTF-8', 'TZ': 'UTC',
            'GDK_BACKEND': 'x11', 'GSK_RENDERER': 'cairo', 'GDK_DEBUG': 'gl-disable', 'GDK_DISABLE': 'gl,vulkan',
            'GIO_USE_VFS': 'local', 'NO_AT_BRIDGE': '1', 'GTK_A11Y': 'none',
            'GSETTINGS_BACKEND': 'keyfile', 'GSETTINGS_SCHEMA_DIR': str(build / 'data'), 'MEMLANE_LOCALE_DIR': str(build / 'data' / 'po'),
            'MEMLANE_DATA_DIR': str(SOURCE / 'data'), 'XDG_DATA_DIRS': f'{SOURCE / "data"}:/usr/local/share:/usr/share',
        })
        if '_' in language:
            self.speak(language)
        self.environment.update(more or {})
        for variable in ('XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'):
            (self.folder / variable).mkdir()
            self.environment[variable] = str(self.folder / variable)
        keyfile = self.folder / 'XDG_CONFIG_HOME' / 'glib-2.0' / 'settings' / 'keyfile'
        keyfile.parent.mkdir(parents=True)
        keyfile.write_text('[io/github/memlane/Memlane]\n' + ''.join(f'{key}={value}\n' for key, value in settings.items()))
        self.program = str(build / 'app' / 'memlane')
        self.screen = Screen(*size, self.folder, self.environment)
        bus = '--config-file=' + os.environ['MEMLANE_BUS_CONFIG'] if 'MEMLANE_BUS_CONFIG' in os.environ else '--session'
        self.bus = subprocess.Popen(['dbus-daemon', bus, '--nofork', '--print-address=1'], stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL, text=True, env=self.environment)
        self.environment['DBUS_SESSION_BUS_ADDRESS'] = self.bus.stdout.readline().strip()
        self.memlane = None

    def speak(self, language):
        """Makes the locale, which this machine need not have (takes the package locales); in none but a real one are texts translated."""
        name = language + '.UTF-8'
        (self.folder / 'locale').mkdir()
        subprocess.run(['localedef', '-i', language, '-f', 'UTF-8', str(self.folder / 'locale' / name)], check=True)
        self.environment.update({'LOCPATH': str(self.folder / 'locale'), 'LANG': name, 'LANGUAGE': language})

    def open(self, *files):
        self.memlane = subprocess.Popen([self.program, *map(str, files)], env=self.environment)
        self.wait('the window', lambda: self.screen.windows())
        self.wait('its actions', lambda: self.call(WINDOW_PATH, 'List') is not None)
        self.screen.settle()

    def wait(self, what, condition, patience=PATIENCE):
        limit = time.monotonic() + patience
        while not condition():
            if self.memlane.poll() is not None:
                sys.exit(f'screenshots: memlane ended with {self.memlane.returncode} while waiting for {what}')
            if time.monotonic() > limit:
                sys.exit(f'screenshots: waited in vain for {what}')
            time.sleep(0.05)

    def call(self, path, method, *arguments):
        command = ['gdbus', 'call', '--session', '--dest', APPLICATION, '--object-path', path, '--method', 'org.gtk.Actions.' + method]
        answer = subprocess.run(command + list(arguments), env=self.environment, capture_output=True, text=True, check=False)
        return answer.stdout if answer.returncode == 0 else None

    def activate(self, action, parameter=None):
        path = WINDOW_PATH
        if action.startswith('app.'):
            path, action = APPLICATION_PATH, action[4:]
        if self.call(path, 'Activate', action, f'[<{parameter}>]' if parameter else '[]', '{}') is None:
            sys.exit(f'screenshots: there is no action {action}')

    def is_enabled(self, action):
        return (self.call(WINDOW_PATH, 'Describe', action) or '').startswith('((true')

    def quit(self):
        if self.memlane is None or self.memlane.poll() is not None:
            return
        self.call(APPLICATION_PATH, 'Activate', 'quit', '[]', '{}')
        try:
            self.memlane.wait(20)
        except subprocess.TimeoutExpired:
            end(self.memlane)

    def close(self):
        self.quit()
        self.screen.close()
        end(self.bus)
        shutil.rmtree(self.folder, ignore_errors=True)
