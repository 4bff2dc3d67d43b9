"""bidi.py: a browser without a window, driven by WebDriver BiDi: Debian's Chromium and Firefox

SPDX-License-Identifier: MIT

The protocol is JSON over a WebSocket, which needs nothing but Python's own library.
"""
import base64
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request

KEYS = {'Tab': '\ue004', 'Enter': '\ue007', 'Escape': '\ue00c', 'Left': '\ue012', 'Up': '\ue013', 'Right': '\ue014', 'Down': '\ue015',
        'Home': '\ue011', 'End': '\ue010', 'Space': ' ', 'Control': '\ue009'}


class Socket:
    """The client's side of a WebSocket."""

    def __init__(self, url):
        host, port, path = re.match(r'ws://([^:/]+):(\d+)(/.*)', url).groups()
        self.socket = socket.create_connection((host, int(port)), 120)
        self.stream = self.socket.makefile('rb')
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f'GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
                            f'Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n'.encode())
        assert b'101' in self.stream.readline()
        while self.stream.readline().strip():
            pass

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = bytes([0x81, 0x80 | size]) if size < 126 else struct.pack('>BBH', 0x81, 0xfe, size) if size < 65536 \
            else struct.pack('>BBQ', 0x81, 0xff, size)
        self.socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def receive(self):
        message = b''
        while True:
            first, size = self.stream.read(2)
            size &= 0x7f
            if size > 125:
                size = struct.unpack('>H' if size == 126 else '>Q', self.stream.read(2 if size == 126 else 8))[0]
            data = self.stream.read(size)
            if first & 0xf in (0, 1, 2):
                message += data
                if first & 0x80:
                    return message.decode()
            elif first & 0xf == 8:
                raise EOFError('the browser closed the connection')


class Browser:
    """One page of a browser. `errors`: what it wrote on its console as errors; `requests`: the addresses that it asked for."""

    def __init__(self, name, dark=False):
        self.name, self.number = name, 0
        self.errors, self.requests = [], []
        self.folder = tempfile.mkdtemp(prefix='memlane-browser-')
        with open(os.path.join(self.folder, 'log'), 'w', encoding='utf-8') as log:
            if name == 'firefox-esr':
                self._start_firefox(log, dark)
            else:
                self._start_chromium(log, dark)
        # Keys act in the window that has the focus, and Firefox's first one never gets it.
        self.context = self.call('browsingContext.create', type='window')['context'] if name == 'firefox-esr' \
            else self.call('browsingContext.getTree')['contexts'][0]['context']
        self.call('session.subscribe', events=['log.entryAdded', 'network.beforeRequestSent'])
        self.call('script.addPreloadScript', functionDeclaration="""() => { window.violations = [];
          document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective)); }""")

    def _start_firefox(self, log, dark):
        with open(os.path.join(self.folder, 'user.js'), 'w', encoding='utf-8') as prefs:
            prefs.write(f'user_pref("layout.css.prefers-color-scheme.content-override", {0 if dark else 1});\n'
                        'user_pref("remote.active-protocols", 1);\nuser_pref("app.update.disabledForTesting", true);\n'
                        'user_pref("browser.shell.checkDefaultBrowser", false);\nuser_pref("datareporting.policy.firstRunURL", "");\n'
                        f'user_pref("browser.download.folderList", 2);\nuser_pref("browser.download.dir", "{self.folder}/Downloads");\n')
        self.process = subprocess.Popen(['firefox-esr', '--headless', '--remote-debugging-port', '0', '--profile', self.folder,
                                         'about:blank'], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                        env=dict(os.environ, HOME=self.folder))
        port = self._wait_for(r'listening on ws://127\.0\.0\.1:(\d+)')
        self.socket = Socket(f'ws://127.0.0.1:{port}/session')
        self.call('session.new', capabilities={})

    def _start_chromium(self, log, dark):
        self.process = subprocess.Popen(['chromedriver', '--port=0'], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                        env=dict(os.environ, HOME=self.folder))
        port = self._wait_for(r'started successfully on port (\d+)')
        arguments = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', f'--user-data-dir={self.folder}/profile',
                     f'--blink-settings=preferredColorScheme={0 if dark else 1}']
        wish = {'capabilities': {'alwaysMatch': {'browserName': 'chrome', 'webSocketUrl': True, 'goog:chromeOptions': {
            'args': arguments, 'binary': shutil.which('chromium')}}}}
        request = urllib.request.Request(f'http://127.0.0.1:{port}/session', json.dumps(wish).encode(),
                                         {'Content-Type': 'application/json'})
        with urllib.request.urlopen(request, timeout=60) as answer:
            session = json.load(answer)['value']
        self.end = f'http://127.0.0.1:{port}/session/{session["sessionId"]}'
        self.socket = Socket(session['capabilities']['webSocketUrl'])

    def _wait_for(self, pattern):
        until = time.monotonic() + 60
        while time.monotonic() < until and self.process.poll() is None:
            with open(os.path.join(self.folder, 'log'), encoding='utf-8', errors='replace') as log:
                found = re.search(pattern, log.read())
            if found:
                return found.group(1)
            time.sleep(0.05)
        raise RuntimeError(f'{self.name} does not start')

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({'id': self.number, 'method': method, 'params': parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get('method') == 'log.entryAdded' and message['params']['level'] in ('error', 'warn'):
                self.errors.append(message['params']['text'])
            elif message.get('method') == 'network.beforeRequestSent':
                self.requests.append(message['params']['request']['url'])
            elif message.get('id') == self.number:
                if message['type'] == 'error':
                    raise RuntimeError(f"{self.name}: {method}: {message['error']}: {message['message']}")
                return message['result']

    def resize(self, width, height):
        self.call('browsingContext.setViewport', context=self.context, viewport={'width': width, 'height': height})

    def open(self, path):
        self.call('browsingContext.navigate', context=self.context, url='file://' + os.path.abspath(path), wait='complete')

    def ask(self, expression):
        """The value of an expression of the page."""
        found = self.call('script.evaluate', expression=f'Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))',
                          target={'context': self.context}, awaitPromise=True)
        if found['type'] != 'success':
            raise RuntimeError(f"{self.name}: {expression}: {found['exceptionDetails']['text']}")
        return json.loads(found['result']['value'])

    def press(self, *keys):
        self.call('input.performActions', context=self.context, actions=[{'type': 'key', 'id': 'keys', 'actions': [
            {'type': kind, 'value': KEYS.get(key, key)} for key in keys for kind in ('keyDown', 'keyUp')]}])

    def point(self, x, y, click=True):
        moves = [{'type': 'pointerMove', 'x': round(x), 'y': round(y)}]
        if click:
            moves += [{'type': 'pointerDown', 'button': 0}, {'type': 'pointerUp', 'button': 0}]
        self.call('input.performActions', context=self.context, actions=[{'type': 'pointer', 'id': 'mouse', 'actions': moves}])

    def drag(self, *places):
        first, *rest = [{'type': 'pointerMove', 'x': round(x), 'y': round(y)} for x, y in places]
        self.call('input.performActions', context=self.context, actions=[{'type': 'pointer', 'id': 'mouse', 'actions': [
            first, {'type': 'pointerDown', 'button': 0}, *rest, {'type': 'pointerUp', 'button': 0}]}])

    def picture(self, path, whole=False):
        data = self.call('browsingContext.captureScreenshot', context=self.context, origin='document' if whole else 'viewport')['data']
        with open(path, 'wb') as file:
            file.write(base64.b64decode(data))

    def close(self):
        try:
            if self.name == 'firefox-esr':
                self.call('browser.close')
            else:
                urllib.request.urlopen(urllib.request.Request(self.end, method='DELETE'), timeout=20).close()
                self.process.terminate()
            self.process.wait(20)
        except (OSError, EOFError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
